package pairs_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/pairs"
)

// Example answers a table of two pairs of builtin shapes.
func Example() {
	const table = `shape_a,shape_b,ax,ay,az,aqw,aqx,aqy,aqz,bx,by,bz,bqw,bqx,bqy,bqz
box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,0,0,0.875,1,0,0,0
box:1x1x1,ball:0.5,0,0,0,1,0,0,0,1.25,0,0,1,0,0,0
`
	shapes, err := pairs.LoadShapes(nil) // or files and folders of meshes; not needed for builtins
	if err != nil {
		fmt.Println(err)
		return
	}
	options := pairs.Options{Method: narrow.FDS, DTol: -1}
	stats, err := pairs.Run(context.Background(), strings.NewReader(table), "table", shapes, os.Stdout, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stats.Status["touching"], "of", stats.Pairs, "touch")
	// Output:
	// row,status,gap,nx,ny,nz,x,y,z,wax,way,waz,wbx,wby,wbz,type,volume,level,message
	// 1,touching,-0.125,0,0,1,0,0,0.4375,0,0,0.5,0,0,0.375,f-f,,search,
	// 2,apart,0.24999999999999556,1,0,0,,,,,,,,,,,,walk,
	// 1 of 2 touch
}
